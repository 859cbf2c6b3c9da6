/* share.tsx -- a match to show others: its link, its picture, and the code that puts it into another page. */
import { useState } from 'preact/hooks';
import { say } from '../../texts/match';
import { Dialog } from './dialog';

/** A text to copy, with its name. */
function Copied({ name, text, onCopied }: { name: string; text: string; onCopied: (said: string) => void }) {
  const copy = () => navigator.clipboard?.writeText(text).then(() => onCopied(say('copied', name)), () => undefined);
  return (
    <div class="row share-row">
      <label class="field grow">
        {name}
        <input class="link" readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      {navigator.clipboard && (
        <button type="button" class="button small" aria-label={say('copyWhat', name)} onClick={() => void copy()}>
          {say('copy')}
        </button>
      )}
    </div>
  );
}

/** The box. `at`: the picture is that after so many actions; without it, the last one. */
export function ShareDialog({ code, title, text, at, onClose }: { code: string; title: string; text: string; at?: number; onClose: () => void }) {
  const [told, setTold] = useState('');
  const { origin } = location;
  const link = `${origin}/m/${code}`;
  const picture = `${origin}/picture/${code}.svg${at === undefined ? '' : `?at=${at}`}`;
  const frame = `<iframe src="${origin}/embed/${code}" title="${title}" width="800" height="720" style="border:0;max-width:100%"></iframe>`;
  const share = () => void navigator.share({ title, text, url: link }).catch(() => undefined);
  return (
    <Dialog title={say('shareTitle')} onClose={onClose}>
      <img class="share-picture" src={picture} alt={say('sharePicture')} />
      <Copied name={say('shareLink')} text={link} onCopied={setTold} />
      <Copied name={say('sharePicture')} text={picture} onCopied={setTold} />
      <Copied name={say('shareEmbed')} text={frame} onCopied={setTold} />
      <p class="soft small">{say('shareWho')}</p>
      <div class="row">
        {'share' in navigator && (
          <button type="button" class="button primary small" onClick={share}>
            {say('shareWith')}
          </button>
        )}
        <span role="status" class="small">{told}</span>
      </div>
    </Dialog>
  );
}
