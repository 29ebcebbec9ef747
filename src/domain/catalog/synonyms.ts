/** Spellings of the same word, until the owner edits the list: groups of words in lower case. */
export const defaultSpellings: readonly (readonly string[])[] = [
  ['gray', 'grey'],
  ['color', 'colour'],
  ['piqué', 'pique'],
  ['jewellery', 'jewelry'],
  ['xxl', '2xl'],
  ['xxxl', '3xl'],
]
