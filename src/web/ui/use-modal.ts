import { useEffect, useRef, type RefObject } from 'react'

/** Opens and closes a native dialog as `open` says. The browser keeps the focus inside, and gives it back to where it was. */
export function useModal(open: boolean): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!element || element.open === open) return
    if (open) element.showModal()
    else element.close()
  }, [open])
  return dialog
}
