/**
 * Does together what is asked for within one turn of the event loop: the fuller the shop, the more share one statement, and whoever
 * comes alone waits for nobody.
 * @param doAll answers in the order in which it was asked; what fails, fails for all of them
 */
export function batchPerTick<Asked, Done>(
  doAll: (all: readonly Asked[]) => Promise<readonly Done[]>,
): (asked: Asked) => Promise<Done | undefined> {
  let next: { all: Asked[]; done: Promise<readonly Done[]> } | undefined
  const begin = () => {
    const all: Asked[] = []
    const turn = new Promise<void>((over) => void setImmediate(over))
    const done = turn.then(() => {
      next = undefined
      return doAll(all)
    })
    return { all, done }
  }
  return async (asked) => {
    const { all, done } = (next ??= begin())
    const place = all.push(asked) - 1
    return (await done)[place]
  }
}
