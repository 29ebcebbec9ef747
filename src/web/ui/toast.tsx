import { createContext, lazy, Suspense, use, useMemo, useState, type ReactNode } from 'react'
import { assert } from '#shared/assert.ts'

type ToastMessage = {
  title: string
  description?: string
  /** Something failed; it is announced at once. */
  destructive?: boolean
  action?: { label: string; onAct: () => void }
}
export type VisibleToast = ToastMessage & { id: number }

type Toasts = { toast: (message: ToastMessage) => void; dismiss: () => void }

const ToastContext = createContext<Toasts | undefined>(undefined)

// Nothing of it is loaded before the first message.
const ToastArea = lazy(async () => ({ default: (await import('./ToastArea.tsx')).ToastArea }))

/** @throws Bug outside of ToastProvider */
export function useToast(): Toasts {
  const toasts = use(ToastContext)
  assert(toasts, 'useToast must be used within ToastProvider')
  return toasts
}

/** At most one message at a time: a new one takes the place of the old (specification, section 9). */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [currentToast, setShown] = useState<VisibleToast>()
  const [needed, setNeeded] = useState(false)
  const toasts = useMemo<Toasts>(
    () => ({
      toast: (message) => {
        setNeeded(true)
        setShown((last) => ({ ...message, id: (last?.id ?? 0) + 1 }))
      },
      dismiss: () => setShown(undefined),
    }),
    [],
  )
  return (
    <ToastContext value={toasts}>
      {children}
      {needed && (
        <Suspense>
          <ToastArea toast={currentToast} onGone={toasts.dismiss} />
        </Suspense>
      )}
    </ToastContext>
  )
}
