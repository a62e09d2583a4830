import { useId } from 'react';
import { Trans } from '../../language/trans.tsx';

type Props = { word: string; typed: string; onTyped: (typed: string) => void };

/** The field for the word that has to be typed before an action with consequences. */
export function ConfirmWordField({ word, typed, onTyped }: Props) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        <Trans message="Type {strong} to confirm" values={{ strong: <strong>{word}</strong> }} />
      </label>
      <input
        id={id}
        className="text-input"
        autoComplete="off"
        value={typed}
        onChange={(event) => onTyped(event.currentTarget.value)}
      />
    </div>
  );
}
