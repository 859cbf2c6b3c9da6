/* sounds.ts -- where the match screen hands sounds on. */

/** Plays a sound by name; silent as long as there is no player for sounds. */
export function playSound(name: string): void {
  void name;
}
