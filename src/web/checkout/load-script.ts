const loading = new Map<string, Promise<void>>()

/**
 * Puts a provider's classic script into the page, once per address; a failed one may be tried again.
 * @throws Error when the script cannot be loaded
 */
export function loadScript(src: string): Promise<void> {
  const known = loading.get(src)
  if (known) return known
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
