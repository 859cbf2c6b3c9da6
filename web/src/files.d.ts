/* files.d.ts -- files that esbuild knows how to take in: styles beside the script, drawings and documents as text. */
declare module '*.css';
declare module '*.svg' {
  const text: string;
  export default text;
}
declare module '*.md' {
  const text: string;
  export default text;
}
/* Made by web/games.mjs from the folders of games/. */
declare module 'mashup:games' {
  const games: import('./games').GamePage[];
  export default games;
}
declare module 'mashup:editors' {
  const editors: import('./games').EditorKind[];
  export default editors;
}
declare module 'mashup:german' {
  const problems: Record<string, string>;
  export default problems;
}
