import type { Words } from '../words.ts'

export const frame = {
  Language: { de: 'Sprache', fr: 'Langue', es: 'Idioma', ja: '言語' },
  'Something went wrong on our side. Please quote {id} when you write to us.': {
    de: 'Bei uns ist etwas schiefgelaufen. Bitte nenn {id}, wenn du uns schreibst.',
    fr: 'Un problème est survenu de notre côté. Merci d’indiquer {id} si vous nous écrivez.',
    es: 'Algo ha fallado por nuestra parte. Indica {id} si nos escribes.',
    ja: '問題が発生しました。お問い合わせの際は {id} をお知らせください。',
  },
} satisfies Words
