/** Each word is somewhere in what a row is called. */
export const says = (row: string, words: string): boolean => {
  const said = row.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
};
