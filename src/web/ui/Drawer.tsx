import { useId, type ReactNode } from 'react'
import { say } from '#words/say.ts'
import { IconButton } from './IconButton.tsx'
import { useModal } from './use-modal.ts'

type Props = {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  /** Stays visible while the content scrolls. */
  footer?: ReactNode
}

/** Slides in from the right, 400 px wide, 540 px on larger screens (specification, section 2, Cart drawer). */
export function Drawer({ open, onClose, title, children, footer }: Props) {
  const dialog = useModal(open, onClose)
  const titleId = useId()
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="m-0 ml-auto h-dvh max-h-none w-full max-w-[400px] translate-x-full bg-surface text-ink opacity-0 shadow-2xl transition-[translate,opacity,overlay,display] duration-300 ease-quiet transition-discrete backdrop:bg-charcoal/0 backdrop:transition-colors backdrop:duration-300 open:translate-x-0 open:opacity-100 open:backdrop:bg-charcoal/55 lg:max-w-[540px] starting:open:translate-x-full starting:open:opacity-0"
    >
      <div className="flex h-full flex-col short:h-auto short:min-h-full">
        <header className="flex items-center justify-between gap-4 border-b border-line py-3 pr-1 pl-5 sm:pr-3 sm:pl-7">
          <h2 id={titleId} className="text-[1.375rem]">
            {title}
          </h2>
          <IconButton icon="close" label={say('Close')} onClick={onClose} />
        </header>
        <div className="scroll-area min-h-0 flex-1 overscroll-contain px-5 sm:px-7 short:overflow-visible">
          {children}
        </div>
        {footer && (
          <footer className="border-t border-line bg-surface px-5 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-7">
            {footer}
          </footer>
        )}
      </div>
    </dialog>
  )
}
