/** Whether each word is in a row's text. */
export const matchesWords = (row: string, words: string): boolean => {
  const said = row.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
};
