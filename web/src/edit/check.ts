/* check.ts -- what is wrong with a document: asked of the same loader that the server has, among the usual other documents. */
import { useEffect, useState } from 'preact/hooks';
import { sharedEngine } from '../engine/engine';
import type { Document, Problem } from '../model';
import type { Company } from './boards';
import type { Kind } from './kinds';
import { momentOf } from './history';
import { pathText, type Path } from './value';

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

/** Asks once. */
export async function check(kind: Kind, text: string, company: Document[] = []): Promise<Findings> {
  const name = `this${kind.ending}`;
  const loaded = await sharedEngine().call('load', { game: kind.game, documents: [...company, { name, text }] });
  const all = 'problems' in loaded ? loaded.problems : [];
  return { own: all.filter(({ document }) => document === name), others: all.filter(({ document }) => document !== name), pending: false };
}

/** Asks a moment after every change. */
export function useFindings(kind: Kind, text: string | null): Findings {
  const [findings, set] = useState(NOTHING);
  useEffect(() => {
    if (text === null) return;
    let live = true;
    set((before) => ({ ...before, pending: true }));
    const timer = setTimeout(() => {
      void check(kind, text).then((found) => live && set(found), () => live && set({ own: [], others: [], pending: false }));
    }, AFTER_MS);
    return () => { live = false; clearTimeout(timer); };
  }, [kind, text]);
  return findings;
}

/** The problems at this place, or anywhere inside it. */
export function problemsAt(findings: Findings, path: Path, inside = false): Problem[] {
  const text = pathText(path);
  return findings.own.filter((problem) =>
    problem.path === text || (inside && (problem.path.startsWith(`${text}.`) || problem.path.startsWith(`${text}[`))));
}

/** The other documents of the kind's usual content, by their endings. */
export function useCompany(kind: Kind): Company {
  const [company, set] = useState<Company>({});
  useEffect(() => {
    let live = true;
    void (async () => {
      const engine = sharedEngine();
      const all: Company = {};
      for (const name of await engine.call('documentNames', { game: kind.game })) {
        const value = momentOf(await engine.call('document', { game: kind.game, name })).value;
        if (value !== undefined) all[name.replace(/^[^.]*/, '')] = value;
      }
      if (live) set(all);
    })();
    return () => { live = false; };
  }, [kind]);
  return company;
}
