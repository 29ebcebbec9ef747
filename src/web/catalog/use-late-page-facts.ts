import { useEffect } from 'react'
import { useRevalidator } from 'react-router'

/**
 * A loader that did not wait for the page's data could not tell all of it, such as whose colors are worn: it is asked again
 * once they are there.
 * @param isTold whether it told everything at once
 */
export function useLatePageFacts(isTold: boolean): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!isTold) void revalidate()
  }, [isTold, revalidate])
}
