CREATE TABLE "order_visit" (
	"order_id" integer NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	CONSTRAINT "order_visit_order_id_hour_pk" PRIMARY KEY("order_id","hour")
);
--> statement-breakpoint
CREATE TABLE "dispute_answer" (
	"provider" text NOT NULL,
	"dispute_id" text NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"reference" text NOT NULL,
	"file" "bytea",
	"content" jsonb,
	"attempts" integer DEFAULT 0 NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"failure" text,
	CONSTRAINT "dispute_answer_provider_dispute_id_pk" PRIMARY KEY("provider","dispute_id"),
	CONSTRAINT "dispute_answer_kind_known" CHECK ("dispute_answer"."kind" in ('evidence', 'acceptance')),
	CONSTRAINT "dispute_answer_state_known" CHECK ("dispute_answer"."state" in ('queued', 'sent', 'refused'))
);
--> statement-breakpoint
ALTER TABLE "dispute" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "order_visit" ADD CONSTRAINT "order_visit_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute_answer" ADD CONSTRAINT "dispute_answer_of_dispute" FOREIGN KEY ("provider","dispute_id") REFERENCES "public"."dispute"("provider","dispute_id") ON DELETE no action ON UPDATE no action;