/** Spellings of the same word, until the owner edits the list: groups of words in lower case. */
export const defaultSpellings: readonly (readonly string[])[] = [
  ['gray', 'grey'],
  ['color', 'colour'],
  ['piqué', 'pique'],
  ['jewellery', 'jewelry'],
  ['xxl', '2xl'],
  ['xxxl', '3xl'],
]

export const stopWords: ReadonlySet<string> = new Set(
  (
    'a an and any as at be but by do for from get have i in is it its me my of on or our please show some that the ' +
    'their them these this to want with you your'
  ).split(' '),
)
