CREATE TABLE "code" (
	"id" serial PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"rule" jsonb NOT NULL,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"uses_max" integer,
	"uses_max_per_person" integer,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "code_code_unique" UNIQUE("code"),
	CONSTRAINT "code_state_known" CHECK ("code"."state" in ('active', 'ended')),
	CONSTRAINT "code_limits_positive" CHECK (coalesce("code"."uses_max", 1) > 0 and coalesce("code"."uses_max_per_person", 1) > 0)
);
--> statement-breakpoint
CREATE TABLE "code_use" (
	"checkout_id" uuid NOT NULL,
	"code_id" integer NOT NULL,
	CONSTRAINT "code_use_checkout_id_code_id_pk" PRIMARY KEY("checkout_id","code_id")
);
--> statement-breakpoint
CREATE TABLE "session_code" (
	"session_id" text NOT NULL,
	"code_id" integer NOT NULL,
	CONSTRAINT "session_code_session_id_code_id_pk" PRIMARY KEY("session_id","code_id")
);
--> statement-breakpoint
ALTER TABLE "order_line" ADD COLUMN "list_price_cents" bigint;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "discounts" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "code_use" ADD CONSTRAINT "code_use_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "code_use" ADD CONSTRAINT "code_use_code_id_code_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."code"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_code" ADD CONSTRAINT "session_code_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_code" ADD CONSTRAINT "session_code_code_id_code_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."code"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "code_use_code_id_index" ON "code_use" USING btree ("code_id");--> statement-breakpoint
CREATE INDEX "session_code_code_id_index" ON "session_code" USING btree ("code_id");--> statement-breakpoint
CREATE INDEX "order_with_code" ON "shop_order" USING btree ("id") WHERE "shop_order"."discounts" <> '[]';--> statement-breakpoint
ALTER TABLE "order_line" ADD CONSTRAINT "order_line_list_price_is_higher" CHECK ("order_line"."list_price_cents" >= "order_line"."unit_price_cents");--> statement-breakpoint
CREATE OR REPLACE VIEW audit_lines AS
  SELECT order_id, product_id, variant_id, quantity, unit_price_cents, list_price_cents FROM order_line WHERE quantity > 0;
--> statement-breakpoint
CREATE VIEW audit_codes AS
  SELECT id, code, state, rule, uses_max, uses_max_per_person, starts_at, ends_at, created_at FROM code;
--> statement-breakpoint
CREATE VIEW audit_code_uses AS
  SELECT u.code_id, u.checkout_id, c.state AS checkout_state, o.id AS order_id, (
    SELECT (d ->> 'amount')::bigint FROM jsonb_array_elements(o.discounts) d WHERE (d ->> 'id')::integer = u.code_id
  ) AS amount_cents
  FROM code_use u JOIN checkout c ON c.id = u.checkout_id LEFT JOIN shop_order o ON o.checkout_id = u.checkout_id;
