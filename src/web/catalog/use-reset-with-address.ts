import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Filter chips and Back change the address too: the form's checkboxes follow it. */
export function useResetWithAddress(form: { readonly current: HTMLFormElement | null }): void {
  const { search } = useLocation()
  const lastSearch = useRef(search)
  useEffect(() => {
    if (lastSearch.current === search) return
    lastSearch.current = search
    form.current?.reset()
  }, [form, search])
}
