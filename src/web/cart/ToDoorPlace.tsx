import { lazy, Suspense } from 'react'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useHydrated } from '#web/ui/use-form.ts'
import type { Cents } from '#shared/money.ts'
import { TotalLine } from './TotalLine.tsx'
import type { ToDoorOf } from './use-to-door.ts'

const ToDoor = lazy(async () => ({ default: (await import('./ToDoor.tsx')).ToDoor }))

/** What it costs to the shopper's door. Pages are the same for everybody, so it fills its place in the browser. */
export function ToDoorPlace({ of }: { of: ToDoorOf }) {
  const isHydrated = useHydrated()
  const waiting = (
    <div className="grid gap-4 pt-3">
      <Skeleton className="h-4 w-3/4" />
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  )
  return (
    <div className="@container min-h-36 noscript:hidden">
      {isHydrated ? (
        <Suspense fallback={waiting}>
          <ToDoor of={of} />
        </Suspense>
      ) : (
        waiting
      )}
    </div>
  )
}

type CartProps = { signature: string | null; total: Cents }

/** The cart's total, with what it costs to the shopper's door as soon as that is known. */
export function CartToDoorPlace({ signature, total }: CartProps) {
  const isHydrated = useHydrated()
  const alone = (
    <>
      <Skeleton className="mt-3.5 mb-auto h-4 w-3/4 noscript:hidden" />
      <TotalLine amount={total} />
    </>
  )
  return (
    // In a narrow column the arrival has a line of its own.
    <div className="@container">
      <div className="flex min-h-25 flex-col justify-end @max-[19rem]:min-h-31 noscript:min-h-0">
        {isHydrated ? (
          <Suspense fallback={alone}>
            <ToDoor of={{ signature }} total={total} />
          </Suspense>
        ) : (
          alone
        )}
      </div>
    </div>
  )
}
