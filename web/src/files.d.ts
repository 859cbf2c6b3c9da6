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
