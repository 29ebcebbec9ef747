/** A product's name as shoppers read it in a sentence: `Rudy Hat “After Hours”`. Stored and sent to others, it keeps its straight quotes. */
export const spokenName = (name: string): string => name.replace(/"([^"]+)"/g, '“$1”')
