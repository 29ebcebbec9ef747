import { lazy, Suspense } from 'react'
import { useHydrated } from '#web/ui/use-form.ts'

const ToDoor = lazy(async () => ({ default: (await import('./ToDoor.tsx')).ToDoor }))

/** One piece, or the cart in the state that `signature` names; null while there is nothing to quote. */
export type ToDoorOf = { variant: number } | { signature: string }

/** What it costs to the shopper's door. Pages are the same for everybody, so it fills its place in the browser. */
export function ToDoorPlace({ of }: { of: ToDoorOf | null }) {
  const isHydrated = useHydrated()
  return (
    <div className="min-h-40 noscript:hidden">
      {isHydrated && (
        <Suspense>
          <ToDoor of={of} />
        </Suspense>
      )}
    </div>
  )
}
