ALTER TABLE "shop_order" ADD COLUMN "promised_from" integer;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "promised_to" integer;