/** The least that one browser has to do for a walk; all else is done inside the page. */
export type Tab = {
  /** Comes back when the page is loaded. */
  goto(address: string): Promise<void>
  /** Runs a function inside the page: it sees its arguments and nothing else of here. */
  run<Given extends unknown[], Answer>(
    act: (...given: Given) => Answer | Promise<Answer>,
    ...given: Given
  ): Promise<Answer>
  /** Presses where a pointer would, from the upper left corner of what is seen. @param heldMs until it is let go */
  press(x: number, y: number, heldMs: number): Promise<void>
  type(text: string): Promise<void>
  key(name: KeyName): Promise<void>
  /** @returns what is seen, as PNG */
  picture(): Promise<Uint8Array>
  /** Ends the browser and what came up with it. */
  close(): Promise<void>
}

export type KeyName = 'Enter' | 'Tab' | 'Backspace'

export type Screen = { width: number; height: number }

/** An answer that does not come must not hold up the walk. */
export const ANSWER_WITHIN_MS = 60_000
