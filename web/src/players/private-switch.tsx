/* private-switch.tsx -- whether others see one's profile. */
import { useState } from 'preact/hooks';
import { Switch, Trouble, useDoing } from '../screens/parts';
import { tell } from '../texts/account';
import { setPrivate } from './ask';

/** The switch shows at once what was chosen, and goes back if the server does not want it. */
export function PrivateSwitch({ value, onChanged }: { value: boolean; onChanged?: (hidden: boolean) => void }) {
  const [shown, show] = useState(value);
  const [told, setTold] = useState('');
  const doing = useDoing();
  const change = (hidden: boolean) => {
    show(hidden);
    setTold('');
    doing.run(async () => {
      await setPrivate(hidden).catch((error: unknown) => { show(!hidden); throw error; });
      setTold(tell('saved'));
      onChanged?.(hidden);
    });
  };
  return (
    <>
      <Switch label={tell('private')} value={shown} onChange={change} />
      <span role="status" class="small">{told}</span>
      <Trouble error={doing.error} />
    </>
  );
}
