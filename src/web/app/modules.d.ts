/** Made by vite.config.ts from src/site/collections. */
declare module 'virtual:themes.css' {}
