/* lessons.ts -- each game in a minute, for somebody who has never seen it: the goal, what a turn is,
 * what to look out for; and a hint for the moment, by the phase or by what can be done. */
import { language } from './language';

/** A game in a minute. */
export interface Lesson {
  goal: string;
  steps: string[];
  /** A hint for a phase (the engine's name of it) or for a verb that can be done now. */
  hints: Record<string, string>;
  /** What a kind can do beside what its values tell; of the documents that come with the game. */
  kinds?: Record<string, string>;
}

const en: Record<string, Lesson> = {
  'marvelous-mashup': {
    goal: 'Gather all six Infinity Stones in the hands of one of your heroes.',
    steps: [
      'Heroes act one after the other, in the order shown above the board. Only the ringed hero acts.',
      'A step costs one MP, an attack or a stone one AP. Mix them as you like, then end the turn.',
      'Walk onto a stone to take it. Stones have powers: use them, or hand them to a neighbour.',
      'A hero without health is knocked out and drops all stones. Goose drops new stones in the first rounds.',
      'Do not wait too long: later Thanos comes and takes what he finds.',
    ],
    hints: {
      'choice of six':
        'MP are steps and AP are attacks a turn; melee, ranged and reach say how hard and how far. Click cards to choose, click again to change your mind.',
      'the hunt':
        'Blue: go. Red: attack. Star: use a stone. Step on a stone to take it.',
      'Thanos is here': 'Thanos hunts whoever holds stones. Nobody can hurt him.',
    },
  },
  'ultimate-war': {
    goal: 'Knock out all three enemy champions.',
    steps: [
      'First both sides pick three champions in turn, then each names a leader.',
      'The fastest champion acts first. A step costs 1 point, an attack 2; abilities cost points and mana.',
      'Attacks go up, right, down or left and hit the first enemy or cover in range.',
      'Each ability needs some turns of rest. The leader has one command for the whole match.',
    ],
    hints: {
      'pick a champion': 'Pick one champion, then the other side picks, until both have three.',
      'appoint a leader':
        'The leader has one strong command for the whole match: to strengthen the team, to finish the weak, or to stun.',
      war: 'Move beside or in line with an enemy, attack, use abilities, then end the turn.',
    },
  },
  generals: {
    goal: 'Take the enemy’s Nexus. You see where enemy pieces stand, not what they are.',
    steps: [
      'Place your army in your three rows, or take a ready-made set-up. Guard your Nexus well.',
      'A turn is one step of one piece: forward, back or sideways. Step onto an enemy to battle it.',
      'The higher power survives. Infiltrators beat every ranked piece, agents beat infiltrators, ranked pieces beat agents.',
      'You are told who fell, not what it was. Click an enemy to see what it can still be.',
    ],
    hints: {
      placement: 'Not sure? Take a set-up, then press Ready.',
      turn: 'Choose a piece, then a lit cell. Red cells are battles.',
      'second step': 'Thor may go one more step, or stay.',
    },
    kinds: {
      Thor: 'Once he has reached the far row, two steps a turn.',
      Thanos: 'Reaches the far row in an odd round: he snaps, and half of all pieces are out.',
      'Black Panther': 'Once: strikes all enemies around him out.',
      KillMonger: 'Once: strikes all enemies around him out.',
      Spiderman: 'Once: holds an enemy beside him in a web for some turns.',
      Venom: 'Once: holds an enemy beside him in a web for some turns.',
      Loki: 'Infiltrator: beats every piece with a power, loses to agents.',
      Hela: 'Infiltrator: beats every piece with a power, loses to agents.',
      'Shield Agent': 'Agent: beats infiltrators, loses to every piece with a power.',
      'Hydra Soldier': 'Agent: beats infiltrators, loses to every piece with a power.',
      'Blue Nexus': 'Never moves. If it is taken, you lose: guard it.',
      'Red Nexus': 'Never moves. If it is taken, you lose: guard it.',
    },
  },
  battleground: {
    goal: 'Defeat all five enemy warriors.',
    steps: [
      'Choose five warriors and five potions, or take the usual team.',
      'A turn has four phases: move, attack, move again, summon. End a phase to come to the next.',
      'Summon brings one warrior to any free cell and ends your turn.',
      'Attacks reach the four neighbours. Potions can be used on anyone in the move and attack phases, not while you summon.',
    ],
    hints: {
      'choice of teams':
        'Add five warriors, then five potions; the same may come again. In doubt: press “Usual team” first.',
      'first summon': 'Choose a warrior from your bench, then any lit cell.',
      'move 1': 'Move each warrior once, then end the phase: the attack follows.',
      attack: 'Attack neighbours (red), then end the phase. Nobody near? Just end the phase.',
      'move 2': 'Warriors that have not moved yet may move now.',
      summon: 'Bring the next warrior onto the field: that ends your turn.',
    },
  },
  zorde: {
    goal: 'Beat every unit of the other side.',
    steps: [
      'An order moves one unit, step by step, until all its steps are made. Then the other side gives an order.',
      'Units strike all enemies around them by themselves: some after each step, some after the last.',
      'Stepping onto an enemy is a fight to the death: the one with more health left wins.',
      'Stepping into a friend ends the order. Orks heal their neighbours.',
    ],
    hints: {
      'choose a unit':
        'Choose a unit and a lit cell beside it. It must then make all of its steps.',
      'finish the order': 'Go on with this unit until its steps are used up.',
    },
  },
};

const de: Record<string, Lesson> = {
  'marvelous-mashup': {
    goal: 'Vereine alle sechs Infinity-Steine in der Hand einer deiner Heldinnen oder Helden.',
    steps: [
      'Alle sind nacheinander dran, in der Reihenfolge über dem Feld. Nur wer den Ring hat, handelt.',
      'Ein Schritt kostet ein MP, ein Angriff oder Stein ein AP. Mische nach Belieben, dann beende den Zug.',
      'Geh auf einen Stein, um ihn zu nehmen. Steine haben Kräfte: nutze sie oder gib sie weiter.',
      'Wer kein Leben mehr hat, ist außer Gefecht und verliert alle Steine. Goose bringt in den ersten Runden neue.',
      'Warte nicht zu lange: Später kommt Thanos und nimmt, was er findet.',
    ],
    hints: {
      'choice of six':
        'MP sind Schritte und AP Angriffe je Zug; Nahkampf, Fernkampf und Reichweite sagen, wie stark und wie weit. Noch ein Klick nimmt die Wahl zurück.',
      'the hunt':
        'Blau: gehen. Rot: angreifen. Stern: Stein nutzen. Wer auf einen Stein tritt, nimmt ihn.',
      'Thanos is here': 'Thanos jagt alle, die Steine haben. Niemand kann ihm etwas tun.',
    },
  },
  'ultimate-war': {
    goal: 'Schlage alle drei gegnerischen Champions.',
    steps: [
      'Zuerst wählen beide abwechselnd drei Champions, dann bestimmt jede Seite, wer führt.',
      'Die Schnellsten sind zuerst dran. Ein Schritt kostet 1 Punkt, ein Angriff 2; Fähigkeiten Punkte und Mana.',
      'Angriffe gehen hoch, rechts, runter oder links und treffen das Erste in Reichweite.',
      'Jede Fähigkeit braucht danach Ruhe. Wer führt, hat einen Befehl für die ganze Partie.',
    ],
    hints: {
      'pick a champion': 'Nimm einen Champion, dann wählt die andere Seite.',
      'appoint a leader': 'Wer führt, hat einen starken Befehl für die ganze Partie.',
      war: 'Geh neben oder in eine Linie mit Gegnern, greif an, nutze Fähigkeiten, dann beende den Zug.',
    },
  },
  generals: {
    goal: 'Nimm den gegnerischen Nexus. Du siehst, wo Figuren stehen, nicht, was sie sind.',
    steps: [
      'Stelle deine Armee in deinen drei Reihen auf oder nimm eine fertige Aufstellung. Schütze den Nexus.',
      'Ein Zug ist ein Schritt: vor, zurück oder seitwärts. Auf einen Gegner treten heißt kämpfen.',
      'Die höhere Stärke bleibt. Eindringlinge schlagen alle mit Rang, Agenten schlagen Eindringlinge, Rang schlägt Agenten.',
      'Du erfährst, wer fiel, nicht, was es war. Klicke einen Gegner an: Was kann er noch sein?',
    ],
    hints: {
      placement: 'Unsicher? Nimm eine Aufstellung, dann „Bereit“.',
      turn: 'Wähle eine Figur, dann ein helles Feld. Rote Felder sind Kämpfe.',
      'second step': 'Thor darf noch einen Schritt gehen oder bleiben.',
    },
    kinds: {
      Thor: 'War er einmal in der hintersten Reihe des Gegners: zwei Schritte je Zug.',
      Thanos: 'Betritt er in ungerader Runde die hinterste Reihe: Er schnippt, die Hälfte aller Figuren ist raus.',
      'Black Panther': 'Einmal: schlägt alle Gegner um sich raus.',
      KillMonger: 'Einmal: schlägt alle Gegner um sich raus.',
      Spiderman: 'Einmal: hält einen Gegner neben sich einige Züge im Netz.',
      Venom: 'Einmal: hält einen Gegner neben sich einige Züge im Netz.',
      Loki: 'Eindringling: schlägt alle mit Stärke, verliert gegen Agenten.',
      Hela: 'Eindringling: schlägt alle mit Stärke, verliert gegen Agenten.',
      'Shield Agent': 'Agent: schlägt Eindringlinge, verliert gegen alle mit Stärke.',
      'Hydra Soldier': 'Agent: schlägt Eindringlinge, verliert gegen alle mit Stärke.',
      'Blue Nexus': 'Bewegt sich nie. Wird er genommen, verlierst du: Schütze ihn.',
      'Red Nexus': 'Bewegt sich nie. Wird er genommen, verlierst du: Schütze ihn.',
    },
  },
  battleground: {
    goal: 'Besiege alle fünf gegnerischen Krieger.',
    steps: [
      'Wähle fünf Krieger und fünf Tränke, oder nimm die übliche Mannschaft.',
      'Ein Zug hat vier Teile: bewegen, angreifen, noch einmal bewegen, rufen.',
      'Rufen bringt einen Krieger auf ein freies Feld und beendet deinen Zug.',
      'Angriffe reichen zu den vier Nachbarn. Tränke gehen auf alle, in den Bewegungs- und Angriffsphasen, nicht beim Beschwören.',
    ],
    hints: {
      'choice of teams':
        'Nimm fünf Krieger, dann fünf Tränke; dieselben dürfen wiederkommen. Im Zweifel: gleich die übliche Mannschaft.',
      'first summon': 'Wähle einen Krieger von der Bank, dann ein helles Feld.',
      'move 1': 'Bewege jeden Krieger einmal, dann beende den Teil: Der Angriff folgt.',
      attack: 'Greif Nachbarn an (rot), dann beende den Teil.',
      'move 2': 'Wer sich noch nicht bewegt hat, darf es jetzt.',
      summon: 'Bring den nächsten Krieger aufs Feld: Das beendet deinen Zug.',
    },
  },
  zorde: {
    goal: 'Besiege alle Einheiten der anderen Seite.',
    steps: [
      'Ein Befehl bewegt eine Einheit Schritt für Schritt, bis alle Schritte gemacht sind.',
      'Einheiten schlagen von selbst alle Gegner um sich: manche nach jedem Schritt, manche nach dem letzten.',
      'Auf einen Gegner treten ist ein Kampf auf Leben und Tod: Wer mehr Leben hat, gewinnt.',
      'Gegen Freunde laufen beendet den Befehl. Orks heilen Nachbarn.',
    ],
    hints: {
      'choose a unit':
        'Wähle eine Einheit und ein helles Feld daneben. Sie muss dann alle Schritte machen.',
      'finish the order': 'Mach mit dieser Einheit weiter, bis ihre Schritte verbraucht sind.',
    },
  },
};

/** What a kind can do, in a sentence; '': nothing special, or the documents of the table are not those of the game. */
export function kindWords({ game, preset }: { game: string; preset?: string }, kind: string): string {
  return preset === undefined ? '' : (lessonFor(game)?.kinds?.[kind] ?? '');
}

/** A game in a minute; null: there is no lesson for it. */
export function lessonFor(game: string): Lesson | null {
  return { en, de }[language.value][game] ?? null;
}
