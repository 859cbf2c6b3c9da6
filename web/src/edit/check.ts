/* check.ts -- what is wrong with a document: asked of the same loader that the server has, among the usual other documents. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { sharedEngine } from '../engine/engine';
import type { Document, Problem } from '../model';
import type { Companions } from './boards';
import type { Kind } from './kinds';
import { TEXTS as TEXTS_OF } from './words';
import { revisionOf } from './history';
import { pathOf, pathText, same, withAt, type Json, type Path } from './value';

/** What the check of a document has found. */
export interface Findings {
  /** Problems of the document itself, with their places in its text. */
  own: Problem[];
  /** Problems that others have with it. */
  others: Problem[];
  /** Nothing is known yet about the newest text. */
  pending: boolean;
}

const NOTHING: Findings = { own: [], others: [], pending: true };
const AFTER_MS = 180;

const TEXTS = '.texts.json';
const REPAIRS_MOST = 12;

/** "hill-giant" as a name. */
function spoken(id: string): string {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** One round of mending names: those that are missing are made from their ids, those of nobody go; null: nothing to mend. */
export function mendedNames(texts: Json, problems: Problem[]): Json | null {
  let mended = texts;
  for (const { path, reason } of problems) {
    const missing = /^key "([^"]+)" is missing/.exec(reason)?.[1];
    if (missing !== undefined) mended = withAt(mended, [...pathOf(path), missing], spoken(missing));
    else if (reason.startsWith('unknown key')) mended = withAt(mended, pathOf(path), undefined);
  }
  return same(mended, texts) ? null : mended;
}

/** The documents, and with them the game's texts if its usual ones do not name just what these have: authors of units need not
 * write texts as well. */
export async function withNames(game: string, preset: string | undefined, documents: Document[]): Promise<Document[]> {
  const engine = sharedEngine();
  const request = { game, ...(preset === undefined ? {} : { preset }) };
  const name = (await engine.call('documentNames', request)).find((one) => one.endsWith(TEXTS));
  let value = name === undefined ? undefined : revisionOf(await engine.call('document', { game, name })).value;
  let all = documents;
  for (let i = 0; i < REPAIRS_MOST && name !== undefined && value !== undefined; i++) {
    const loaded = await engine.call('load', { ...request, documents: all });
    const next = 'problems' in loaded ? mendedNames(value, loaded.problems.filter(({ document }) => document === name)) : null;
    if (next === null) break;
    value = next;
    all = [...documents, { name, text: JSON.stringify(value) }];
  }
  return all;
}

/** Asks once. */
export async function check(kind: Kind, text: string): Promise<Findings> {
  const name = `this${kind.ending}`;
  const loaded = await sharedEngine().call('load', { game: kind.game, documents: await withNames(kind.game, undefined, [{ name, text }]) });
  const all = 'problems' in loaded ? loaded.problems : [];
  return { own: all.filter(({ document }) => document === name), others: all.filter(({ document }) => document !== name), pending: false };
}

/** Asks a moment after every change. Until the answer about just this text is there (null: it is not made yet), the last one stays,
 * pending. */
export function useFindings(kind: Kind, text: string | null): Findings {
  const [found, set] = useState<{ of: string | null; findings: Findings }>({ of: null, findings: NOTHING });
  useEffect(() => {
    if (text === null) return;
    let live = true;
    const answer = (findings: Findings) => live && set({ of: text, findings });
    const timer = setTimeout(() => void check(kind, text).then(answer, () => answer({ own: [], others: [], pending: false })), AFTER_MS);
    return () => { live = false; clearTimeout(timer); };
  }, [kind, text]);
  const pending = text === null || found.of !== text;
  return useMemo(() => ({ ...found.findings, pending }), [found, pending]);
}

/** The problems at this place, or anywhere inside it. */
export function problemsAt(findings: Findings, path: Path, inside = false): Problem[] {
  const text = pathText(path);
  return findings.own.filter((problem) =>
    problem.path === text || (inside && (problem.path.startsWith(`${text}.`) || problem.path.startsWith(`${text}[`))));
}

/** The other documents of the kind's usual content, by their endings, and its German texts. */
export function useCompanions(kind: Kind): Companions {
  const [companions, set] = useState<Companions>({});
  useEffect(() => {
    let live = true;
    void (async () => {
      const engine = sharedEngine();
      const all: Companions = {};
      for (const name of await engine.call('documentNames', { game: kind.game })) {
        const value = revisionOf(await engine.call('document', { game: kind.game, name })).value;
        if (value !== undefined) all[name.replace(/^[^.]*/, '')] = value;
      }
      const german = revisionOf(await engine.call('document', { game: kind.game, name: TEXTS_OF.de })).value;
      if (german !== undefined) all[TEXTS_OF.de] = german;
      if (live) set(all);
    })();
    return () => { live = false; };
  }, [kind]);
  return companions;
}
