/** What a browser must do for a walk; everything else happens inside the page. */
export type Tab = {
  /** Resolves when the page has loaded. */
  goto(address: string): Promise<void>
  /** Runs a function inside the page; it has access to its arguments only, not to its closure. */
  run<Given extends unknown[], Answer>(
    act: (...given: Given) => Answer | Promise<Answer>,
    ...given: Given
  ): Promise<Answer>
  /** Clicks at a point of the viewport. @param heldMs how long the button is held */
  press(x: number, y: number, heldMs: number): Promise<void>
  type(text: string): Promise<void>
  key(name: KeyName): Promise<void>
  /** @returns a PNG of the viewport */
  picture(): Promise<Uint8Array>
  /** Ends the browser and its helper processes. */
  close(): Promise<void>
}

export type KeyName = 'Enter' | 'Tab' | 'Backspace'

export type Screen = { width: number; height: number }

export const ANSWER_WITHIN_MS = 60_000
