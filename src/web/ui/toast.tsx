import { createContext, lazy, Suspense, use, useMemo, useState, type ReactNode } from 'react'
import { assert } from '#shared/assert.ts'

export type ToastMessage = {
  title: string
  description?: string
  /** The address of a picture of what it is about. */
  picture?: string | null
  /** An error; screen readers announce it immediately. */
  destructive?: boolean
  action?: { label: string; onAct: () => void }
}
export type VisibleToast = ToastMessage & { id: number }

type Toasts = { toast: (message: ToastMessage) => void; dismiss: () => void }

const ToastContext = createContext<Toasts | undefined>(undefined)

// Loaded with the first message.
const ToastArea = lazy(async () => ({ default: (await import('./ToastArea.tsx')).ToastArea }))

/** @throws Bug outside of ToastProvider */
export function useToast(): Toasts {
  const toasts = use(ToastContext)
  assert(toasts, 'useToast must be used within ToastProvider')
  return toasts
}

/** One message at a time: a new one replaces the old (specification, section 9). */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [currentToast, setCurrentToast] = useState<VisibleToast>()
  const [needed, setNeeded] = useState(false)
  const toasts = useMemo<Toasts>(
    () => ({
      toast: (message) => {
        setNeeded(true)
        setCurrentToast((last) => ({ ...message, id: (last?.id ?? 0) + 1 }))
      },
      dismiss: () => setCurrentToast(undefined),
    }),
    [],
  )
  return (
    <ToastContext value={toasts}>
      {children}
      {needed && (
        <Suspense>
          <ToastArea toast={currentToast} onClose={toasts.dismiss} />
        </Suspense>
      )}
    </ToastContext>
  )
}
