import { createContext } from 'react'

/** What an `ApiForm` tells its fields and buttons. Outside of one, fields show the errors they are given. */
export const FormContext = createContext({
  errorOf: (_name: string): string | undefined => undefined,
  /** Why the last request failed. */
  problem: undefined as string | undefined,
  isDone: false,
  busy: false,
  isReady: true,
  /** Sends something else than the form; @param send gets the fields as typed */
  run: (_send: (typed: Record<string, string>) => Promise<unknown>): void => {},
})
