ALTER TABLE "checkout" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_cart" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "drop_notice" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "drop_place" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriber" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "gift_card_purchase" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "raffle_entry" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "checkout" ADD CONSTRAINT "checkout_language_known" CHECK ("checkout"."language" in ('en', 'de', 'fr', 'es', 'ja'));--> statement-breakpoint
ALTER TABLE "saved_cart" ADD CONSTRAINT "saved_cart_language_known" CHECK ("saved_cart"."language" in ('en', 'de', 'fr', 'es', 'ja'));--> statement-breakpoint
ALTER TABLE "drop_notice" ADD CONSTRAINT "drop_notice_language_known" CHECK ("drop_notice"."language" in ('en', 'de', 'fr', 'es', 'ja'));--> statement-breakpoint
ALTER TABLE "drop_place" ADD CONSTRAINT "drop_place_language_known" CHECK ("drop_place"."language" in ('en', 'de', 'fr', 'es', 'ja'));--> statement-breakpoint
ALTER TABLE "subscriber" ADD CONSTRAINT "subscriber_language_known" CHECK ("subscriber"."language" in ('en', 'de', 'fr', 'es', 'ja'));--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "shop_order_language_known" CHECK ("shop_order"."language" in ('en', 'de', 'fr', 'es', 'ja'));--> statement-breakpoint
ALTER TABLE "gift_card_purchase" ADD CONSTRAINT "gift_card_purchase_language_known" CHECK ("gift_card_purchase"."language" in ('en', 'de', 'fr', 'es', 'ja'));--> statement-breakpoint
ALTER TABLE "raffle_entry" ADD CONSTRAINT "raffle_entry_language_known" CHECK ("raffle_entry"."language" in ('en', 'de', 'fr', 'es', 'ja'));