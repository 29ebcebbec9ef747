ALTER TABLE "shop_order" ADD COLUMN "tax_evidence" jsonb;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "tax_report" text DEFAULT 'waiting' NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "tax_transaction_id" text;--> statement-breakpoint
CREATE INDEX "order_tax_not_reported" ON "shop_order" USING btree ("created_at") WHERE "shop_order"."tax_report" = 'waiting';--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "shop_order_taxTransactionId_unique" UNIQUE("tax_transaction_id");--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "order_tax_report_known" CHECK ("shop_order"."tax_report" in ('waiting', 'reported', 'not_reported'));