import { lazy, Suspense } from 'react'
import { useHydrated } from '#web/ui/use-form.ts'

const ToDoor = lazy(async () => ({ default: (await import('./ToDoor.tsx')).ToDoor }))

/** Pieces of a variant, null if it cannot be bought; or the cart in the state that `signature` names, null while that changes. */
export type ToDoorOf = { variant: number | null; quantity: number } | { signature: string | null }

/** What it costs to the shopper's door. Pages are the same for everybody, so it fills its place in the browser. */
export function ToDoorPlace({ of }: { of: ToDoorOf }) {
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
