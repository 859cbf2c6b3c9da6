/* ask.ts -- questions of keys and of the command line; what answers them is loaded with the first of them. */
import type { Stage } from '../../board/stage';
import { settings } from '../../settings';
import { LEVELS, speak } from '../../speech';
import { t } from '../../texts/texts';
import type { MatchInput } from '../input/match-input';
import type { KeyQuestion } from './answers';

/** Gives an answer over the board and to whoever hears the page. */
async function tell(input: MatchInput, answer: Promise<string>): Promise<void> {
  const text = await answer.catch((error: unknown) => String(error));
  if (text !== '') input.why.value = { text };
}

/** Answers a key about the cell with the cursor, else the one that is pointed at. */
export function askByKey(what: KeyQuestion, input: MatchInput, stage: Stage | null): void {
  const at = stage?.where() ?? input.pointed.value;
  void tell(input, import('./answers').then(({ answerKey }) => answerKey(what, input, at)));
}

/** Answers a question that was typed; false: it is none. */
export async function askByLine(input: MatchInput, line: string): Promise<boolean> {
  const { questionOf } = await import('./questions');
  const question = questionOf(line);
  if (question) void tell(input, import('./answers').then(({ answerLine }) => answerLine(question, input)));
  return question !== null;
}

/** Says more, or after the most the least, and which it is now. */
export function nextVerbosity(): void {
  const { verbosity } = settings;
  verbosity.value = LEVELS[(LEVELS.indexOf(verbosity.value) + 1) % LEVELS.length]!;
  speak(t(`speech.${verbosity.value}`));
}
