import { useEffect } from 'react'
import { useRevalidator } from 'react-router'

/**
 * Runs the loader again when it returned before its data had loaded: the document's colors, for example, depend on the data.
 * @param isComplete whether the loader returned everything
 */
export function useLatePageFacts(isComplete: boolean): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!isComplete) void revalidate()
  }, [isComplete, revalidate])
}
