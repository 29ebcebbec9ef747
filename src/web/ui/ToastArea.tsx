import { Toast } from 'radix-ui'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { classNames } from './class-names.ts'
import { Icon } from './Icon.tsx'
import type { VisibleToast } from './toast.tsx'

// Specification, section 9.
const DURATION_MS = 5000
const SWIPE_PX = 50

type Props = { toast: VisibleToast | undefined; onGone: () => void }

/** At most 420 px wide; F8 leads to it. It stands below, at the right, but for when it would cover what was just pressed. */
export function ToastArea({ toast, onGone }: Props) {
  const host = useTopmost()
  const [place, setPlace] = useState({ of: 0, isAbove: false })
  if (toast && toast.id !== place.of) setPlace({ of: toast.id, isAbove: isInTheWay(host) })
  return (
    <Toast.Provider duration={DURATION_MS} swipeThreshold={SWIPE_PX} swipeDirection="right">
      {toast && (
        <Toast.Root
          key={toast.id}
          type={toast.destructive ? 'foreground' : 'background'}
          onOpenChange={(open) => {
            if (!open) onGone()
          }}
          className={classNames(
            'flex items-start gap-3 rounded-card border p-4 pr-2 shadow-2xl transition-[opacity,translate] duration-300 ease-quiet data-[swipe=cancel]:translate-x-0 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) starting:translate-y-3 starting:opacity-0',
            toast.destructive
              ? 'border-danger bg-danger-soft text-charcoal'
              : 'on-dark border-charcoal-soft bg-charcoal text-ivory',
          )}
        >
          <div className="min-w-0 flex-1">
            <Toast.Title className="font-semibold">{toast.title}</Toast.Title>
            {toast.description && (
              <Toast.Description className="mt-0.5 text-[0.9375rem] opacity-90">{toast.description}</Toast.Description>
            )}
            {toast.action && (
              <Toast.Action
                altText={toast.action.label}
                onClick={toast.action.onAct}
                className="mt-1 inline-flex min-h-11 items-center font-semibold underline decoration-gold decoration-2 underline-offset-4"
              >
                {toast.action.label}
              </Toast.Action>
            )}
          </div>
          <Toast.Close
            aria-label="Dismiss"
            className="inline-grid size-11 shrink-0 place-items-center rounded-full hover:bg-current/10"
          >
            <Icon name="close" className="size-5" />
          </Toast.Close>
        </Toast.Root>
      )}
      {createPortal(
        <Toast.Viewport
          data-toasts
          hotkey={['F8']}
          className={classNames(
            // Above it stands under the bars of the page; inside the drawer it stands over the total and its button.
            place.isAbove ? (isIn(host) ? 'top-16' : 'top-32') : isIn(host) ? 'bottom-48' : 'bottom-0',
            'fixed right-0 z-50 m-0 flex w-full max-w-[420px] list-none flex-col gap-2 p-4 pb-[max(1rem,env(safe-area-inset-bottom))] outline-none',
          )}
        />,
        host,
        host.tagName,
      )}
    </Toast.Provider>
  )
}

const isIn = (host: Element) => host.tagName === 'DIALOG'

// As large as a message of three lines with what can be done about it.
const AREA = { width: 420, height: 168 }
const DRAWER_FOOT = 192

/** Whether a message in its usual place would lie over the control that has called for it. */
function isInTheWay(host: Element): boolean {
  const bottom = innerHeight - (isIn(host) ? DRAWER_FOOT : 0)
  // What is pressed has the focus, or, where a browser gives buttons none, the pointer on it.
  const pressed = [document.activeElement, [...document.querySelectorAll(':hover')].at(-1)]
  return pressed.some((element) => {
    const control = element?.closest('a, button, input, select, textarea, summary')
    if (!control || control.closest('[data-toasts]')) return false
    const box = control.getBoundingClientRect()
    return box.right > innerWidth - AREA.width && box.bottom > bottom - AREA.height && box.top < bottom
  })
}

/** Everything outside an open modal dialog is inert and below it, so a message lives inside the dialog while that is open. */
function useTopmost(): Element {
  const [, setChanges] = useState(0)
  const dialog = document.querySelector('dialog:modal')
  useEffect(() => {
    const onClose = () => setChanges((count) => count + 1)
    dialog?.addEventListener('close', onClose)
    return () => dialog?.removeEventListener('close', onClose)
  }, [dialog])
  return dialog ?? document.body
}
