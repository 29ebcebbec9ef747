import { Toast } from 'radix-ui'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { classNames } from './class-names.ts'
import { Icon } from './Icon.tsx'
import type { VisibleToast } from './toast.tsx'

// Specification, section 9.
const DURATION_MS = 5000
const SWIPE_PX = 50

type Props = { toast: VisibleToast | undefined; onClose: () => void }

/**
 * At most 420 px wide; F8 focuses it. At the bottom right, on phones at the top, where no buy bar is; at the other end if it would cover
 * the control just pressed.
 */
export function ToastArea({ toast, onClose }: Props) {
  const host = useTopLayer()
  const [position, setPosition] = useState({ toastId: 0, isAtTop: false })
  if (toast && toast.id !== position.toastId) setPosition({ toastId: toast.id, isAtTop: isAtTop(host) })
  return (
    <Toast.Provider duration={DURATION_MS} swipeThreshold={SWIPE_PX} swipeDirection="right">
      {toast && (
        <Toast.Root
          key={toast.id}
          type={toast.destructive ? 'foreground' : 'background'}
          onOpenChange={(open) => {
            if (!open) onClose()
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
            // At the top: below the page's bars. In the drawer: above the total and its button.
            position.isAtTop
              ? isDialog(host)
                ? 'top-16'
                : 'top-32'
              : isDialog(host)
                ? 'bottom-48'
                : 'bottom-0 [:root:has([data-buy-bar])_&]:max-lg:bottom-17',
            'fixed right-0 z-50 m-0 flex w-full max-w-[420px] list-none flex-col gap-2 p-4 pb-[max(1rem,env(safe-area-inset-bottom))] outline-none',
          )}
        />,
        host,
        host.tagName,
      )}
    </Toast.Provider>
  )
}

const isDialog = (host: Element) => host.tagName === 'DIALOG'

// A toast of three lines with an action, in px.
const AREA = { width: 420, height: 168 }
const DRAWER_FOOT = 192
/** Where the viewport's classes begin. */
const TOP = { dialog: 64, page: 128 }
const PHONE_PX = 640

function isAtTop(host: Element): boolean {
  const isPhone = innerWidth < PHONE_PX
  const top = isDialog(host) ? TOP.dialog : TOP.page
  const bottom = innerHeight - (isDialog(host) ? DRAWER_FOOT : 0)
  return isPhone ? !coversPressed(top, top + AREA.height) : coversPressed(bottom - AREA.height, bottom)
}

/** Whether a toast between these heights would cover the control that triggered it. */
function coversPressed(top: number, bottom: number): boolean {
  // The pressed control has focus, or the pointer over it in browsers that don't focus buttons.
  const pressed = [document.activeElement, [...document.querySelectorAll(':hover')].at(-1)]
  return pressed.some((element) => {
    const control = element?.closest('a, button, input, select, textarea, summary')
    if (!control || control.closest('[data-toasts]')) return false
    const box = control.getBoundingClientRect()
    return box.right > innerWidth - AREA.width && box.bottom > top && box.top < bottom
  })
}

/** Everything outside an open modal dialog is inert and below it, so toasts render inside the dialog. */
function useTopLayer(): Element {
  const [, setChanges] = useState(0)
  const dialog = document.querySelector('dialog:modal')
  useEffect(() => {
    const onClose = () => setChanges((count) => count + 1)
    dialog?.addEventListener('close', onClose)
    return () => dialog?.removeEventListener('close', onClose)
  }, [dialog])
  return dialog ?? document.body
}
