ALTER TABLE "provider_event" ADD COLUMN "about" text GENERATED ALWAYS AS (coalesce(payload->>'paymentIntent', payload->>'paymentId', payload->>'externalId')) STORED;--> statement-breakpoint
CREATE INDEX "checkout_version_of_person" ON "checkout_version" USING btree (lower("frozen"->'customer'->>'email'));--> statement-breakpoint
CREATE INDEX "mail_of_person" ON "mail" USING btree (lower("recipient"));--> statement-breakpoint
CREATE INDEX "provider_event_about_index" ON "provider_event" USING btree ("about");--> statement-breakpoint
CREATE INDEX "order_not_just_paid" ON "shop_order" USING btree ("payment_status","created_at","id") WHERE "shop_order"."payment_status" <> 'paid';--> statement-breakpoint
CREATE INDEX "order_of_person" ON "shop_order" USING btree (lower("customer_email"));