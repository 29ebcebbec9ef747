import { Toast } from 'radix-ui'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { say } from '#words/say.ts'
import { classNames } from './class-names.ts'
import { Icon } from './Icon.tsx'
import type { VisibleToast } from './toast.tsx'

// Specification, section 9.
const DURATION_MS = 5000
const SWIPE_PX = 50

type Props = { toast: VisibleToast | undefined; onClose: () => void }

/**
 * At most 420 px wide; F8 focuses it. It lies on the page's main bar or on the head of a dialog, beside the button that closes it, where
 * it hides neither goods nor prices nor a buy bar; at the bottom if it would cover the control just pressed.
 */
export function ToastArea({ toast, onClose }: Props) {
  const host = useTopLayer()
  const [place, setPlace] = useState<{ toast: VisibleToast; host: Element; top: number | undefined }>()
  if (toast && (toast !== place?.toast || host !== place.host)) setPlace({ toast, host, top: topFor(host) })
  return (
    <Toast.Provider label={say('Notification')} duration={DURATION_MS} swipeThreshold={SWIPE_PX} swipeDirection="right">
      {toast && (
        <Toast.Root
          key={toast.id}
          type={toast.destructive ? 'foreground' : 'background'}
          onOpenChange={(open) => {
            if (!open) onClose()
          }}
          className={classNames(
            'flex items-center gap-3 rounded-card border py-1 pr-1 pl-4 shadow-2xl transition-[opacity,translate] duration-300 ease-quiet data-[swipe=cancel]:translate-x-0 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) starting:-translate-y-3 starting:opacity-0',
            toast.destructive
              ? 'border-danger bg-danger-soft text-charcoal'
              : 'on-dark border-charcoal-soft bg-charcoal text-ivory',
          )}
        >
          {toast.picture && (
            <img
              src={toast.picture}
              alt=""
              width="56"
              height="56"
              // A swipe that begins on it moves the message, not the picture.
              draggable={false}
              className="-ml-2.5 size-14 shrink-0 rounded-[3px] max-[22rem]:hidden"
            />
          )}
          <div className="min-w-0 flex-1 py-1 leading-snug">
            <Toast.Title className="font-semibold">{toast.title}</Toast.Title>
            {toast.description && (
              <Toast.Description className="text-[0.875rem] leading-snug opacity-90">
                {toast.description}
              </Toast.Description>
            )}
          </div>
          {toast.action && (
            <Toast.Action
              altText={toast.action.label}
              onClick={toast.action.onAct}
              className="inline-flex min-h-11 shrink-0 items-center font-semibold underline decoration-gold decoration-2 underline-offset-4"
            >
              {toast.action.label}
            </Toast.Action>
          )}
          <Toast.Close
            aria-label={say('Dismiss')}
            className="inline-grid size-11 shrink-0 place-items-center rounded-full hover:bg-current/10"
          >
            <Icon name="close" className="size-5" />
          </Toast.Close>
        </Toast.Root>
      )}
      {createPortal(
        <Toast.Viewport
          data-toasts
          label={say('Notifications ({key})', { key: 'F8' })}
          hotkey={['F8']}
          style={{ top: place?.top }}
          className={classNames(
            isDialog(host)
              ? 'right-13 w-[calc(100%-3.25rem)] p-1.5'
              : place?.top === undefined
                ? 'right-0 bottom-0 w-full p-4 pb-[max(1rem,env(safe-area-inset-bottom))] [[data-buy-bar]_&]:max-lg:bottom-17'
                : 'right-0 w-full px-4 py-1.5',
            'fixed z-50 m-0 flex max-w-[420px] list-none flex-col gap-2 outline-none',
          )}
        />,
        host,
        host.tagName,
      )}
    </Toast.Provider>
  )
}

const isDialog = (host: Element) => host.tagName === 'DIALOG'

// A toast of four lines, in px.
const AREA = { width: 420, height: 112 }

/** @returns undefined for the bottom */
function topFor(host: Element): number | undefined {
  if (isDialog(host)) return 0
  const mainBar = document.querySelector('header')?.lastElementChild
  const top = Math.max(0, mainBar?.getBoundingClientRect().top ?? 0)
  return coversPressed(top, top + AREA.height) ? undefined : top
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
