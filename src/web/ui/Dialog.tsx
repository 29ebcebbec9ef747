import { useId, type ReactNode } from 'react'
import { say } from '#words/say.ts'
import { IconButton } from './IconButton.tsx'
import { useModal } from './use-modal.ts'

type Props = { open: boolean; onClose: () => void; title: ReactNode; children: ReactNode }

/** A modal dialog; Esc and a click on the backdrop close it. */
export function Dialog({ open, onClose, title, children }: Props) {
  const dialog = useModal(open, onClose)
  const titleId = useId()
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="m-auto max-h-[92dvh] w-[min(100%-2rem,40rem)] scroll-area rounded-card bg-surface text-ink shadow-2xl backdrop:bg-charcoal/60"
    >
      <div className="p-5 sm:p-7">
        <header className="mb-4 flex items-center justify-between gap-4">
          <h2 id={titleId} className="text-title">
            {title}
          </h2>
          <IconButton icon="close" label={say('Close')} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  )
}
