/** Types of the program for code that imports it here. */
type Draw = {
  beacon: { round: number; publicKey: string; signature: string; randomness: string }
  entries: readonly string[]
  entriesHash: string
  winners: readonly string[]
}

export function checkDraw(
  draw: Draw,
  bls?: object,
): Promise<{
  isSameEntries: boolean
  isSigned: boolean | undefined
  isSameRandomness: boolean
  isSameWinner: boolean
  winners: string[]
  entriesHash: string
  randomness: string
}>

export function entryOf(code: string, email: string): Promise<string>
