const loading = new Map<string, Promise<void>>()

/**
 * Loads a classic script once per address; after a failure it can be retried.
 * @throws Error when the script cannot be loaded
 */
export function loadScript(src: string): Promise<void> {
  const pending = loading.get(src)
  if (pending) return pending
  const promise = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.async = true
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      script.remove()
      loading.delete(src)
      reject(new Error(`The script ${src} could not be loaded`))
    })
    document.head.append(script)
  })
  loading.set(src, promise)
  return promise
}
