import { ProviderUnavailable, UnusableAnswer } from './provider-errors.ts'

type CacheEntry<Answer> = { answer: Promise<Answer>; until: number }

/**
 * Remembers what a provider said, no included, for as long as it is good; and leaves it alone for a moment after it did not
 * answer. An address is asked about again with every pause in its typing, and nobody waits twice for a provider that is away.
 * @param pauseMs how long a provider that did not answer is not asked again about anything
 */
export function createProviderCache<Answer>({
  keptMs,
  pauseMs,
  entriesMax,
  now = () => performance.now(),
}: {
  keptMs: number
  pauseMs: number
  entriesMax: number
  now?: () => number
}) {
  const known = new Map<string, CacheEntry<Answer>>()
  let trouble: ProviderUnavailable | undefined
  let pausedUntil = 0

  /** @throws ProviderUnavailable at once while the provider is left alone */
  return function remember(about: string, ask: () => Promise<Answer>): Promise<Answer> {
    const before = known.get(about)
    if (before && before.until > now()) return before.answer
    if (trouble && pausedUntil > now()) return Promise.reject(trouble)

    const fresh: CacheEntry<Answer> = { answer: ask(), until: now() + keptMs }
    known.delete(about)
    known.set(about, fresh)
    const [oldest] = known.keys()
    if (known.size > entriesMax && oldest !== undefined) known.delete(oldest)
    fresh.answer.catch((error: unknown) => {
      if (!(error instanceof ProviderUnavailable)) return
      if (known.get(about) === fresh) known.delete(about)
      // It is there, and has a wrong answer to one question.
      if (error instanceof UnusableAnswer) return
      trouble = error
      pausedUntil = now() + pauseMs
    })
    return fresh.answer
  }
}
