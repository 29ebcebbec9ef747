/** A rendered page, in each form that was asked for. */
export type Cached = {
  status: number
  html: Buffer
  br?: Buffer
  gzip?: Buffer
  etag: string
  freshUntil: number
}

/** All kept pages together, in each form that was asked for. */
const CACHE_BYTES = 32 * 1024 * 1024

const forgetters = new Set<() => void>()

/** To be called once something is committed that pages show: they are rendered anew. Other instances follow within a minute. */
export const forgetPages = (): void => forgetters.forEach((forget) => forget())

/** Keeps pages up to a number of bytes; the one that was made longest ago goes first. */
export function createPageCache() {
  const cache = new Map<string, Cached>()
  // The compressed forms come later and are an eighth of the page together, so they are reckoned in from the start.
  const sizeOf = ({ html }: Cached) => html.byteLength * 1.25
  let bytes = 0
  const drop = (url: string) => {
    const kept = cache.get(url)
    if (!kept) return
    bytes -= sizeOf(kept)
    cache.delete(url)
  }
  const forget = () => {
    cache.clear()
    bytes = 0
  }
  forgetters.add(forget)
  return {
    find: (url: string): Cached | undefined => cache.get(url),
    keep: (url: string, page: Cached): void => {
      drop(url)
      cache.set(url, page)
      bytes += sizeOf(page)
      for (const oldest of cache.keys()) {
        if (bytes <= CACHE_BYTES) break
        drop(oldest)
      }
    },
    /** A shop that has closed keeps nothing. */
    close: () => {
      forgetters.delete(forget)
      forget()
    },
  }
}
