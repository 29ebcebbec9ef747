import type { Words } from '../words.ts'

export const mailsAndPages = {
  Arrives: { de: 'Kommt an', fr: 'Arrivée', es: 'Llega', ja: 'お届け予定' },
  Privacy: { de: 'Datenschutz', fr: 'Confidentialité', es: 'Privacidad', ja: 'プライバシー' },
  '{from} to {to}': { de: '{from} bis {to}', fr: '{from} à {to}', es: '{from} a {to}', ja: '{from}～{to}' },
  'Monday-Friday': { de: 'Montag–Freitag', fr: 'du lundi au vendredi', es: 'de lunes a viernes', ja: '月曜～金曜' },
  Items: { de: 'Artikel', fr: 'Articles', es: 'Artículos', ja: '商品' },
  'See it': { de: 'Ansehen', fr: 'Voir', es: 'Ver', ja: '見る' },
  'Get your piece': { de: 'Dein Stück holen', fr: 'Prendre ma pièce', es: 'Conseguir tu pieza', ja: '購入する' },
  'Accept it': { de: 'Annehmen', fr: 'Accepter', es: 'Aceptarlo', ja: '受け取る' },
  From: { de: 'Von', fr: 'De la part de', es: 'De', ja: '贈り主' },
  Code: { de: 'Code', fr: 'Code', es: 'Código', ja: 'コード' },
  'Go to the shop': { de: 'Zum Shop', fr: 'Aller à la boutique', es: 'Ir a la tienda', ja: 'ショップへ' },
  'Gift card': { de: 'Geschenkkarte', fr: 'Carte cadeau', es: 'Tarjeta regalo', ja: 'ギフトカード' },
  'Start over': { de: 'Neu beginnen', fr: 'Recommencer', es: 'Empezar de nuevo', ja: '最初からやり直す' },
  Unsubscribe: { de: 'Abmelden', fr: 'Se désinscrire', es: 'Darse de baja', ja: '配信停止' },
  'Confirm my subscription': {
    de: 'Anmeldung bestätigen',
    fr: 'Confirmer mon inscription',
    es: 'Confirmar mi suscripción',
    ja: '登録を確認する',
  },
  'Your order': { de: 'Deine Bestellung', fr: 'Votre commande', es: 'Tu pedido', ja: 'ご注文' },
  'Don’t ask me again': {
    de: 'Nicht mehr fragen',
    fr: 'Ne plus me demander',
    es: 'No preguntarme más',
    ja: '今後は受け取らない',
  },
} satisfies Words
