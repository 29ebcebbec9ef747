import { useId, useRef, type ReactNode } from 'react'
import type { FacetChoice, Facets as FacetCounts } from '#domain/catalog/facets.ts'
import { say } from '#words/say.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { useModal } from '#web/ui/use-modal.ts'
import { FacetFields } from './FacetFields.tsx'
import { useResetWithAddress } from './use-reset-with-address.ts'

type Props = {
  open: boolean
  onClose: () => void
  onChange: (form: HTMLFormElement) => void
  facets: FacetCounts
  chosen: FacetChoice
  /** The text of the button at the end. */
  close: string
  /** Hidden fields. */
  children: ReactNode
}

/** The filters of a list on phones, from the bottom of the screen. */
export function FilterSheet({ open, onClose, onChange, facets, chosen, close, children }: Props) {
  const dialog = useModal(open, onClose)
  const form = useRef<HTMLFormElement>(null)
  const titleId = useId()
  useResetWithAddress(form)
  return (
    <dialog ref={dialog} aria-labelledby={titleId} className="filter-sheet">
      <form
        ref={form}
        onChange={({ currentTarget }) => onChange(currentTarget)}
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
        }}
      >
        <header>
          <h2 id={titleId}>{say('Filter')}</h2>
          <IconButton icon="close" label={say('Close')} onClick={onClose} />
        </header>
        <div className="scroll-area overscroll-contain">
          {children}
          <FacetFields facets={facets} chosen={chosen} />
        </div>
        <footer>
          <Button type="submit" className="w-full">
            {close}
          </Button>
        </footer>
      </form>
    </dialog>
  )
}
