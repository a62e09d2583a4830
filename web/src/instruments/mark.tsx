/** Tones of marks: none that means a gain, a loss or a warning. */
const TONES = ['blue', 'violet', 'teal', 'grey'] as const;
/** Names that begin alike are of one coin or event. */
const BEGINNING = 3;

/** A drawn mark beside the name of an instrument or venue: its first letter, in a tone of its own. */
export function Mark({ name }: { name: string }) {
  const code = [...name.slice(0, BEGINNING)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return <span className={`mark ${TONES[code % TONES.length]}`} data-letter={name.slice(0, 1)} aria-hidden />;
}
