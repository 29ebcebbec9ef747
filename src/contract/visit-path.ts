/** Where pages report what they counted. Not a call: its answer is always empty, and nobody waits for it. */
export const VISITS_PATH = '/visits'
