/** A busy machine lets a provider's answer come too late: the shopper tries again, as people do. */
const TRIES = 8

/** @param buys throws when it came to nothing @throws what the last try threw */
export async function retryWhileBusy<Bought>(buys: () => Promise<Bought>): Promise<Bought> {
  for (let tries = 1; ; tries += 1)
    try {
      return await buys()
    } catch (error) {
      if (tries === TRIES) throw error
    }
}
