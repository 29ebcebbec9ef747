/** A product's name as shoppers read it in a sentence: `Rudy Hat “After Hours”`. Stored and sent to others, it keeps its straight quotes. */
export const spokenName = (name: string): string => name.replace(/"([^"]+)"/g, '“$1”')

/** Splits `Rudy Hat "After Hours"` into kind and title, which are set apart; a name of another form is all title. */
export function nameParts(name: string) {
  const [, kind, title = name] = /^(.+?)\s+"([^"]+)"$/.exec(name) ?? []
  return { kind, title }
}
