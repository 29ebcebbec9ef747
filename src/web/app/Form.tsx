import type { ComponentProps } from 'react'
import { useNavigate } from 'react-router'

/** A form that asks: what stands in it becomes the address, and the page opens in this document. */
export function Form(props: ComponentProps<'form'>) {
  const navigate = useNavigate()
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const { pathname, hash } = new URL(form.getAttribute('action') ?? location.pathname, location.origin)
        const asked = new URLSearchParams(
          [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
        )
        void navigate(`${pathname}?${asked}${hash}`)
      }}
    />
  )
}
