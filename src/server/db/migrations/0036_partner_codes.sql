ALTER TABLE "attribution" ALTER COLUMN "link_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "commission_entry" ALTER COLUMN "link_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "code" ADD COLUMN "is_automatic" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "code" ADD COLUMN "partner_id" integer;--> statement-breakpoint
ALTER TABLE "attribution" ADD COLUMN "code_id" integer;--> statement-breakpoint
ALTER TABLE "attribution" ADD COLUMN "is_before_discounts" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "commission_entry" ADD COLUMN "code_id" integer;--> statement-breakpoint
ALTER TABLE "code" ADD CONSTRAINT "code_partner_id_app_user_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attribution" ADD CONSTRAINT "attribution_code_id_code_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."code"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_entry" ADD CONSTRAINT "commission_entry_code_id_code_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."code"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "code_partner_id_index" ON "code" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "code_automatic" ON "code" USING btree ("id") WHERE "code"."is_automatic" and "code"."state" = 'active';--> statement-breakpoint
CREATE INDEX "attribution_code_id_index" ON "attribution" USING btree ("code_id");--> statement-breakpoint
CREATE INDEX "commission_entry_code_id_booked_at_index" ON "commission_entry" USING btree ("code_id","booked_at");--> statement-breakpoint
ALTER TABLE "attribution" ADD CONSTRAINT "attribution_by_link_or_code" CHECK ("attribution"."link_id" is not null or "attribution"."code_id" is not null);--> statement-breakpoint
CREATE VIEW audit_discounts AS
  SELECT o.id AS order_id, d ->> 'code' AS code, (d ->> 'amount')::bigint AS amount_cents,
    (d ->> 'partnerId')::integer AS partner_id
  FROM shop_order o CROSS JOIN jsonb_array_elements(o.discounts) d;
--> statement-breakpoint
CREATE OR REPLACE VIEW audit_codes AS
  SELECT id, code, state, rule, uses_max, uses_max_per_person, starts_at, ends_at, created_at, is_automatic, partner_id
  FROM code;
