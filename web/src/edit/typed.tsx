/* typed.tsx -- a field in which letters stay where they were typed, until they are meant. */
import { useState } from 'preact/hooks';

/** What of an input can be said; the names are those of HTML. */
interface TypedProps {
  value: string | number;
  /** What was typed, when it is done: Enter, or another field. */
  onDone(text: string): void;
  type?: 'text' | 'number';
  id?: string;
  title?: string | undefined;
  min?: number | undefined;
  max?: number | undefined;
  maxLength?: number | undefined;
  list?: string | undefined;
  'aria-label'?: string;
  'aria-invalid'?: boolean;
  'aria-describedby'?: string | undefined;
}

/** An input whose text belongs to the person who types until it is done. Without that, what is drawn anew meanwhile, as when a check has
 * ended, would put the old value back under the fingers. */
export function Typed({ value, onDone, type: kind = 'text', ...rest }: TypedProps) {
  const [typed, type] = useState<string | null>(null);
  return (
    <input {...rest} type={kind} value={typed ?? value} onInput={(event) => type(event.currentTarget.value)} onChange={(event) => {
      type(null);
      onDone(event.currentTarget.value);
    }} />
  );
}
