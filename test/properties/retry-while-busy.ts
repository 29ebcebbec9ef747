/** On a busy machine a provider's answer may come too late: the shopper tries again, as people do. */
const TRIES = 8

/** @param buys throws when it fails @throws the last error */
export async function retryWhileBusy<Bought>(buys: () => Promise<Bought>): Promise<Bought> {
  for (let tries = 1; ; tries += 1)
    try {
      return await buys()
    } catch (error) {
      if (tries === TRIES) throw error
    }
}
