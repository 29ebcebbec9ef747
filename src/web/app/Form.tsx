import type { ComponentProps } from 'react'
import { useNavigate } from 'react-router'
import { splitLanguage } from '#shared/language.ts'

/** A GET form that navigates in this document. */
export function Form(props: ComponentProps<'form'>) {
  const navigate = useNavigate()
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const { pathname, hash } = new URL(form.getAttribute('action') ?? location.pathname, location.origin)
        const query = new URLSearchParams(
          [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
        )
        void navigate(`${splitLanguage(pathname).path}?${query}${hash}`)
      }}
    />
  )
}
