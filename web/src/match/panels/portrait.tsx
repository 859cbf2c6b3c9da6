/* portrait.tsx -- avatars and things in hand as the match screen uses them. */
import { useMemo } from 'preact/hooks';
import { avatar } from '../../art/avatar';
import { signColour } from '../../art/badges';
import type { Seat } from '../../model';

/** The avatar of a kind, by its id; left out: a piece that may not be known. Drawn anew only if it is another: each drawing has ids of its
 * own, so that the browser would take the same picture for a new one. */
export function Picture({
  kind,
  seat,
  size,
}: {
  kind: string | undefined;
  seat: Seat | null;
  size: number;
}) {
  const html = useMemo(() => ({ __html: avatar(kind, seat) }), [kind, seat]);
  return (
    <span
      class={`avatar seat-${seat ?? 'none'}`}
      style={{ '--size': `${size}px` }}
      aria-hidden="true"
      dangerouslySetInnerHTML={html}
    />
  );
}

/** A thing in somebody's hand, in the colour of its sign. */
export function HeldItem({ id, name, wait }: { id: string; name: string; wait: number }) {
  return (
    <span
      class={`held-item${wait > 0 ? ' waits' : ''}`}
      style={{ '--item': signColour(id) }}
      role="img"
      aria-label={wait > 0 ? `${name} ${wait}` : name}
      title={name}
    >
      {wait > 0 ? wait : name.charAt(0)}
    </span>
  );
}
